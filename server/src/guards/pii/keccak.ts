/** Keccak-256 as Ethereum uses it: SHA-3 before its padding changed, so `node:crypto` has none. For short inputs only. */
const RATE_BYTES = 136;
const MASK = (1n << 64n) - 1n;
const ROTATIONS = [0, 1, 62, 28, 27, 36, 44, 6, 55, 20, 3, 10, 43, 25, 39, 41, 45, 15, 21, 8, 18, 2, 61, 56, 14];

/** Round constants of FIPS 202, from its linear feedback shift register. */
const ROUNDS = roundConstants();

export function keccak256(input: Buffer): Buffer {
  if (input.length >= RATE_BYTES) throw new RangeError("the input must fit one block");
  const block = Buffer.alloc(RATE_BYTES);
  input.copy(block);
  block[input.length] = 0x01;
  block[RATE_BYTES - 1] = (block[RATE_BYTES - 1] ?? 0) | 0x80;
  let state = new Array<bigint>(25).fill(0n);
  for (let lane = 0; lane < RATE_BYTES / 8; lane++) state[lane] = block.readBigUInt64LE(lane * 8);
  for (const constant of ROUNDS) state = permute(state, constant);
  const digest = Buffer.alloc(32);
  for (let lane = 0; lane < 4; lane++) digest.writeBigUInt64LE(laneAt(state, lane), lane * 8);
  return digest;
}

function permute(state: readonly bigint[], constant: bigint): bigint[] {
  const columns = [0, 1, 2, 3, 4].map((x) => [0, 5, 10, 15, 20].reduce((sum, y) => sum ^ laneAt(state, x + y), 0n));
  const mixed = state.map((lane, at) => {
    const x = at % 5;
    return lane ^ laneAt(columns, (x + 4) % 5) ^ rotate(laneAt(columns, (x + 1) % 5), 1);
  });
  const moved = new Array<bigint>(25).fill(0n);
  for (let x = 0; x < 5; x++) {
    for (let y = 0; y < 5; y++) {
      moved[y + 5 * ((2 * x + 3 * y) % 5)] = rotate(laneAt(mixed, x + 5 * y), ROTATIONS[x + 5 * y] ?? 0);
    }
  }
  const next = moved.map((lane, at) => {
    const row = at - (at % 5);
    return lane ^ (~laneAt(moved, row + ((at + 1) % 5)) & MASK & laneAt(moved, row + ((at + 2) % 5)));
  });
  next[0] = laneAt(next, 0) ^ constant;
  return next;
}

function laneAt(lanes: readonly bigint[], at: number): bigint {
  return lanes[at] ?? 0n;
}

function rotate(lane: bigint, bits: number): bigint {
  return bits === 0 ? lane : ((lane << BigInt(bits)) | (lane >> BigInt(64 - bits))) & MASK;
}

function roundConstants(): bigint[] {
  let register = 1;
  return Array.from({ length: 24 }, () => {
    let constant = 0n;
    for (let power = 0; power <= 6; power++) {
      if (register & 1) constant |= 1n << BigInt(2 ** power - 1);
      register = register & 0x80 ? ((register << 1) ^ 0x171) & 0xff : register << 1;
    }
    return constant;
  });
}
