import { createHash } from "node:crypto";
import { type CorpusRandom, HEX, LETTERS } from "./random.ts";

/** A text, and the part of it that a guard must find. */
export interface Sample {
  readonly text: string;
  readonly part: string;
}

/** Generated, so that no sample is data of a person. Checksums are computed here, not by the code under test. */
export const PERSONAL_DATA: Readonly<Record<string, (random: CorpusRandom) => Sample>> = {
  email: (random) => {
    const first = random.pick(["anna", "j.smith", "mary-ann", "lee_2", "o.k", "x+news", "dev.ops", "k%1"]);
    const domain = random.pick(["example", "mail.example", "my-company", "sub.domain", "a1"]);
    const part = `${first}${random.integer(1, 999)}@${domain}.${random.pick(["com", "org", "co.uk", "de", "io", "museum", "xn--p1ai"])}`;
    return within(random, part, [
      "Write to # today.",
      "From: <#>",
      "owner=#;",
      '{"contact":"#"}',
      "(#)",
      "#",
      "mailto:#",
    ]);
  },
  phone: (random) => {
    const area = () => String(random.integer(201, 989));
    const part = random.pick([
      () => `+1 ${area()} ${random.integer(200, 999)} ${random.digits(4)}`,
      () => `+49 ${random.integer(30, 999)} ${random.integer(100000, 9999999)}`,
      () => `+44 20 ${random.digits(4)} ${random.digits(4)}`,
      () =>
        `+33 ${random.integer(1, 9)} ${random.digits(2)} ${random.digits(2)} ${random.digits(2)} ${random.digits(2)}`,
      () => `+1-${area()}-${random.integer(200, 999)}-${random.digits(4)}`,
      () => `+${random.pick(["34", "39", "31", "420", "91"])}${random.integer(600000000, 999999999)}`,
      () => `(${area()}) ${random.integer(200, 999)}-${random.digits(4)}`,
    ])();
    return within(random, part, [
      "Call me: #",
      "Phone # (office)",
      '{"phone":"#"}',
      "My mobile is #.",
      "# is the number",
      "tel. #",
    ]);
  },
  credit_card: (random) => {
    const [prefix, length] = random.pick([
      ...[
        ["4", 16],
        ["51", 16],
        ["55", 16],
        ["2221", 16],
        ["2720", 16],
        ["34", 15],
        ["37", 15],
        ["6011", 16],
      ],
      ...[
        ["65", 16],
        ["36", 14],
        ["3528", 16],
        ["62", 16],
      ],
    ] as [string, number][]);
    const digits = withLuhn(prefix + random.digits(length - prefix.length - 1));
    const part = random.pick([digits, grouped(digits, " "), grouped(digits, "-")]);
    return within(random, part, [
      ...[
        "Card number: #",
        "my card is #, thanks",
        '{"card_number":"#"}',
        "VISA # exp 12/29",
        "Pay with credit card #.",
      ],
      ...["PAN #", "Kreditkarte: #", "charge # (cvv 123)", "debit card ending: #"],
    ]);
  },
  iban: (random) => {
    const digits = (count: number) => random.digits(count);
    const [country, account] = random.pick<[string, string]>([
      ["DE", digits(18)],
      ["GB", random.text(LETTERS, 4) + digits(14)],
      ["FR", digits(10) + random.text(`${LETTERS}0123456789`, 11) + digits(2)],
      ["NL", random.text(LETTERS, 4) + digits(10)],
      ["ES", digits(20)],
      ["IT", random.text(LETTERS, 1) + digits(10) + random.text(`${LETTERS}0123456789`, 12)],
      ["CH", digits(5) + random.text(`${LETTERS}0123456789`, 12)],
      ["PL", digits(24)],
      ["NO", digits(11)],
      ["SE", digits(20)],
    ]);
    const compact = withIbanCheck(country, account);
    const part = random.pick([compact, (compact.match(/.{1,4}/g) ?? []).join(" "), compact.toLowerCase()]);
    return within(random, part, ["IBAN: #", "Transfer to # until Friday", '{"iban":"#"}', "#", "Konto #, danke"]);
  },
  us_ssn: (random) => {
    const area = random.pick([random.integer(1, 665), random.integer(667, 899)]);
    const parts = [
      String(area).padStart(3, "0"),
      String(random.integer(1, 99)).padStart(2, "0"),
      String(random.integer(1, 9999)).padStart(4, "0"),
    ];
    const part = random.pick([parts.join("-"), parts.join("-"), parts.join(" "), parts.join("")]);
    return within(random, part, [
      "SSN: #",
      "Her social security number is #.",
      '{"ssn":"#"}',
      "ssn=#",
      "Taxpayer # filed",
    ]);
  },
  uk_nino: (random) => {
    const prefix = random.pick(["AB", "CE", "HJ", "JK", "PR", "SW", "YZ", "LM"]);
    const groups = [prefix, random.digits(2), random.digits(2), random.digits(2), random.pick(["A", "B", "C", "D"])];
    const part = random.pick([groups.join(" "), groups.join("")]);
    return within(random, part, ["NI number #", "National Insurance: #", '{"nino":"#"}', "His number is #."]);
  },
  ip_address: (random) => {
    const octets = () => [
      random.integer(1, 223),
      random.integer(0, 255),
      random.integer(0, 255),
      random.integer(1, 254),
    ];
    const part = random.pick([
      () =>
        octets()
          .map((octet, at) => (at === 0 && octet === 127 ? 126 : octet))
          .join("."),
      () => `2001:db8:${Array.from({ length: 6 }, () => random.text(HEX, 4)).join(":")}`,
      () => `2a00:${random.text(HEX, 3)}1::${random.text("123456789abcdef", 3)}`,
    ])();
    return within(random, part, ["from # port 22", "Host: #", '{"ip":"#"}', "login from #.", "[#] denied", "ip=#"]);
  },
  mac_address: (random) => {
    const bytes = ["0", "2", "4", "a"]
      .slice(0, 1)
      .concat(Array.from({ length: 5 }, () => ""))
      .map(() => random.text(HEX, 2));
    bytes[0] = `${random.pick(["0", "2", "a", "d"])}${random.pick(["2", "4", "8", "c"])}`;
    const part = random.pick([bytes.join(":"), bytes.join("-"), bytes.join(":").toUpperCase()]);
    return within(random, part, ["ether # txqueuelen", "MAC #", '{"mac":"#"}', "device # joined"]);
  },
  date_of_birth: (random) => {
    const [year, month, day] = [random.integer(1930, 2019), random.integer(1, 12), random.integer(1, 28)];
    const two = (value: number) => String(value).padStart(2, "0");
    const name = random.pick(["January", "March", "Aug", "Dec"]);
    const part = random.pick([
      ...[
        `${year}-${two(month)}-${two(day)}`,
        `${two(day)}.${two(month)}.${year}`,
        `${two(month)}/${two(day)}/${year}`,
      ],
      ...[`${day} ${name} ${year}`, `${name} ${day}, ${year}`],
    ]);
    return within(random, part, [
      "Date of birth: #",
      "She was born on # in Rome",
      '{"date_of_birth":"#"}',
      "DOB #",
      "geboren am #",
      "Birthday: #",
    ]);
  },
  passport: (random) => {
    const part = random.pick([
      ...[random.text(LETTERS, 1) + random.digits(8), random.digits(9), random.text(LETTERS, 2) + random.digits(7)],
    ]);
    return within(random, part, [
      "Passport number: #",
      "passport no. #",
      '{"passport_number":"#"}',
      "Reisepass #",
      "Passport # issued 2020",
    ]);
  },
  street_address: (random) => {
    const name = random.pick(["Baker", "Oak Hill", "Martin Luther King", "Main", "N. Washington", "5th"]);
    const part = random.pick([
      `${random.integer(1, 9999)} ${name} ${random.pick(["Street", "St", "Avenue", "Rd", "Blvd", "Lane", "Drive", "Court"])}`,
      `${random.pick(["Hauptstraße", "Goethestrasse", "Lindenallee", "Bahnhofstr.", "Marktplatz"])} ${random.integer(1, 200)}`,
      `${random.integer(1, 99)} rue de la ${random.pick(["Paix", "République", "Gare"])}`,
    ]);
    return within(random, part, [
      ...["Ship to # please", "Address: #", "She lives at #.", '{"street_address":"#"}', "Billing: #", "home: #"],
    ]);
  },
  crypto_address: (random) => {
    const part = random.pick([
      () => base58check(Buffer.concat([Buffer.from([random.pick([0, 5])]), Buffer.from(random.text(HEX, 40), "hex")])),
      () => bech32("bc", [0, ...Array.from({ length: 32 }, () => random.integer(0, 31))]),
      () => `0x${random.text(HEX, 40)}`,
    ])();
    return within(random, part, ["Send to wallet #", "ETH address #", '{"wallet":"#"}', "crypto # now"]);
  },
};

function within(random: CorpusRandom, part: string, templates: readonly string[]): Sample {
  return { text: random.pick(templates).replace("#", () => part), part };
}

export function withLuhn(payload: string): string {
  for (let check = 0; check < 10; check++) {
    const digits = [...`${payload}${check}`].reverse().map(Number);
    const sum = digits.reduce(
      (total, digit, at) => total + (at % 2 === 0 ? digit : ([0, 2, 4, 6, 8, 1, 3, 5, 7, 9][digit] ?? 0)),
      0,
    );
    if (sum % 10 === 0) return `${payload}${check}`;
  }
  throw new Error("no check digit");
}

function grouped(digits: string, separator: string): string {
  const sizes = digits.length === 15 ? [4, 6, 5] : digits.length === 14 ? [4, 6, 4] : [4, 4, 4, 4];
  const starts = sizes.map((_, index) => sizes.slice(0, index).reduce((sum, size) => sum + size, 0));
  return sizes.map((size, index) => digits.slice(starts[index], (starts[index] ?? 0) + size)).join(separator);
}

export function withIbanCheck(country: string, account: string): string {
  const numeric = [...`${account}${country}00`].map((char) => Number.parseInt(char, 36)).join("");
  const check = 98n - (BigInt(numeric) % 97n);
  return `${country}${String(check).padStart(2, "0")}${account}`;
}

const BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

function base58check(payload: Buffer): string {
  const hash = (bytes: Buffer) => createHash("sha256").update(bytes).digest();
  const bytes = Buffer.concat([payload, hash(hash(payload)).subarray(0, 4)]);
  let value = BigInt(`0x${bytes.toString("hex")}`);
  let text = "";
  for (; value > 0n; value /= 58n) text = (BASE58[Number(value % 58n)] ?? "") + text;
  for (const byte of bytes) {
    if (byte !== 0) break;
    text = `1${text}`;
  }
  return text;
}

function bech32(prefix: string, data: readonly number[]): string {
  const expanded = [
    ...[...prefix].map((c) => c.charCodeAt(0) >> 5),
    0,
    ...[...prefix].map((c) => c.charCodeAt(0) & 31),
  ];
  const generator = [0x3b6a57b2n, 0x26508e6dn, 0x1ea119fan, 0x3d4233ddn, 0x2a1462b3n];
  let checksum = 1n;
  for (const value of [...expanded, ...data, 0, 0, 0, 0, 0, 0]) {
    const top = checksum >> 25n;
    checksum = ((checksum & 0x1ffffffn) << 5n) ^ BigInt(value);
    generator.forEach((each, bit) => {
      if ((top >> BigInt(bit)) & 1n) checksum ^= each;
    });
  }
  checksum ^= 1n;
  const check = [5n, 4n, 3n, 2n, 1n, 0n].map((at) => Number((checksum >> (5n * at)) & 31n));
  return `${prefix}1${[...data, ...check].map((value) => "qpzry9x8gf2tvdw0s3jn54khce6mua7l"[value]).join("")}`;
}
