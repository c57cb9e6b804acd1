import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { checkAddress, LOOPBACK_ALLOW, parseAllowList, refusal } from "./address-rules.ts";

const nothing = parseAllowList("");
const everything = parseAllowList("0.0.0.0/0, ::/0, internal.test");

function verdict(ip: string, allow = nothing, hostname = "example.test"): string {
  const result = checkAddress(ip, hostname, allow);
  return result.allowed ? "allowed" : `${result.reason}${result.never ? ", never" : ""}`;
}

describe("checkAddress", () => {
  it("allows public unicast addresses without a list", () => {
    for (const ip of [
      "1.1.1.1",
      "8.8.8.8",
      "93.184.215.14",
      "100.63.255.255",
      "100.128.0.0",
      "172.15.255.255",
      "172.32.0.0",
      "192.0.1.1",
      "198.17.255.255",
      "198.20.0.0",
      "223.255.255.255",
      "::ffff:8.8.8.8",
      "64:ff9b::8.8.8.8",
      "2606:4700:4700::1111",
      "2a00:1450:4001:81b::200e",
    ]) {
      assert.equal(verdict(ip), "allowed", ip);
    }
  });

  it("rejects every special range, at its first and last address", () => {
    const table: Record<string, string[]> = {
      unspecified: ["0.0.0.0", "0.255.255.255", "::"],
      private: [
        "10.0.0.0",
        "10.255.255.255",
        "172.16.0.0",
        "172.31.255.255",
        "192.168.0.0",
        "192.168.255.255",
        "fc00::1",
        "fdff::1",
      ],
      "carrier-grade NAT": ["100.64.0.0", "100.127.255.255"],
      loopback: [
        "127.0.0.0",
        "127.255.255.255",
        "::1",
        "::ffff:127.0.0.1",
        "::ffff:7f00:1",
        "0:0:0:0:0:ffff:7f00:0001",
      ],
      documentation: ["192.0.2.1", "198.51.100.255", "203.0.113.9", "2001:db8::1", "3fff::1"],
      benchmarking: ["198.18.0.0", "198.19.255.255", "2001:2::1"],
      multicast: ["224.0.0.0", "239.255.255.255", "ff02::1"],
      reserved: [
        "192.0.0.8",
        "192.88.99.1",
        "240.0.0.0",
        "255.255.255.254",
        "100::1",
        "2001:10::1",
        "4000::1",
        "5f00::1",
        "fec0::1",
        "64:ff9b:2::1",
      ],
      broadcast: ["255.255.255.255"],
      "IPv4-compatible": ["::7f00:1", "::127.0.0.1", "::8.8.8.8"],
      "6to4": ["2002:808:808::1", "2002:7f00:1::"],
      Teredo: ["2001:0:808:808::1"],
      "local NAT64": ["64:ff9b:1::1.1.1.1"],
    };
    for (const [reason, ips] of Object.entries(table)) {
      for (const ip of ips) assert.equal(verdict(ip), reason, ip);
    }
  });

  it("never allows link-local and cloud metadata addresses, even if listed", () => {
    for (const ip of [
      "169.254.169.254",
      "169.254.0.1",
      "::ffff:169.254.169.254",
      "::ffff:a9fe:a9fe",
      "::169.254.169.254",
      "64:ff9b::a9fe:a9fe",
      "64:ff9b:1::a9fe:a9fe",
      "64:ff9b:1:a9fe:a9:fe00::",
      "64:ff9b:1:a9:fe:a9fe::",
      "64:ff9b:1:0:a9:fea9:fe00:0",
      "::ffff:0:a9fe:a9fe",
      "2002:a9fe:a9fe::1",
      "2001:0:a9fe:a9fe::1",
      "2001:0:808:808::5601:5601",
      "2a00:1450::5efe:a9fe:a9fe",
      "2a00:1450::200:5efe:169.254.169.254",
      "fe80::1",
      "fe80::1%eth0",
      "febf::1",
      "fd00:ec2::254",
      "fd00:ec2::23",
      "fd20:ce::254",
      "100.100.100.200",
      "168.63.129.16",
      "192.0.0.192",
      "::ffff:100.100.100.200",
    ]) {
      assert.match(verdict(ip, everything), /, never$/, ip);
      assert.match(verdict(ip, everything, "internal.test"), /, never$/, ip);
    }
    for (const name of ["metadata.google.internal", "Metadata.Google.Internal.", "metadata", "instance-data"]) {
      assert.equal(verdict("8.8.8.8", parseAllowList(`0.0.0.0/0,${name}`), name), "cloud metadata, never", name);
    }
  });

  it("rejects text that is not an address", () => {
    for (const text of ["", "127.1", "0x7f.0.0.1", "2130706433", "example.test", "1.2.3.4 ", "::g"]) {
      assert.equal(verdict(text, everything), "not an address, never", text);
    }
  });

  it("treats an IPv4 address the same in every IPv6 notation", () => {
    fc.assert(
      fc.property(fc.nat(0xffff), fc.nat(0xffff), (high, low) => {
        const bytes = [high >> 8, high & 255, low >> 8, low & 255];
        const plain = checkAddress(bytes.join("."), "x.test", nothing);
        const [a, b] = [high.toString(16), low.toString(16)];
        for (const clothed of [`::ffff:${a}:${b}`, `64:ff9b::${a}:${b}`, `::ffff:0:${a}:${b}`]) {
          assert.deepEqual(checkAddress(clothed, "x.test", nothing), plain, clothed);
        }
        for (const clothed of [`::${a}:${b}`, `2002:${a}:${b}::1`, `64:ff9b:1::${a}:${b}`]) {
          assert.equal(checkAddress(clothed, "x.test", nothing).allowed, false, clothed);
        }
      }),
      { verbose: 1 },
    );
  });
});

describe("EGRESS_ALLOW", () => {
  it("allows exactly the listed addresses and names", () => {
    const allow = parseAllowList(" 10.1.0.0/16, 192.168.7.9,fd12::/32 , Internal.Test., ::1 ");
    for (const ip of [
      "10.1.0.0",
      "10.1.255.255",
      "::ffff:10.1.2.3",
      "64:ff9b::a01:203",
      "192.168.7.9",
      "fd12::5",
      "::1",
    ]) {
      assert.equal(verdict(ip, allow), "allowed", ip);
    }
    for (const ip of ["10.2.0.0", "10.0.255.255", "192.168.7.8", "192.168.7.10", "fd13::5", "127.0.0.1"]) {
      assert.notEqual(verdict(ip, allow), "allowed", ip);
    }
    assert.equal(verdict("10.9.9.9", allow, "internal.test"), "allowed");
    assert.equal(verdict("10.9.9.9", allow, "INTERNAL.test."), "allowed");
    assert.equal(verdict("10.9.9.9", allow, "x.internal.test"), "private");
    assert.equal(verdict("10.9.9.9", allow, "internal.test.evil.test"), "private");
  });

  it("allows a 6to4 address by its own range, not by the embedded IPv4 range", () => {
    assert.equal(verdict("2002:a01:203::1", parseAllowList("10.0.0.0/8")), "6to4");
    assert.equal(verdict("2002:a01:203::1", parseAllowList("2002::/16")), "allowed");
  });

  it("treats a mapped range as its IPv4 range", () => {
    const allow = parseAllowList("::ffff:10.1.0.0/112");
    assert.equal(verdict("10.1.2.3", allow), "allowed");
    assert.equal(verdict("10.2.2.3", allow), "private");
  });

  it("allows only loopback by its loopback default", () => {
    const allow = parseAllowList(LOOPBACK_ALLOW);
    assert.equal(verdict("127.0.0.1", allow, "localhost"), "allowed");
    assert.equal(verdict("::1", allow, "localhost"), "allowed");
    assert.equal(verdict("0.0.0.0", allow), "unspecified");
    assert.equal(verdict("10.0.0.1", allow), "private");
  });

  it("names the entry that it cannot parse", () => {
    for (const entry of [
      "10.0.0.0/33",
      "10.0.0.0/8/8",
      "fd00::/129",
      "10.0.0.0/-1",
      "10.0.0.0/",
      "127.1",
      "0x7f.0.0.1",
      "2130706433",
      "a b",
      "*.corp",
      "http://x",
      "intern/8",
      "intern?x",
      "intern#x",
      "[::1]",
      "10.0.0.1:80",
    ]) {
      assert.throws(
        () => parseAllowList(`10.0.0.0/8,${entry}`),
        (error: Error) => error.message.startsWith(`"${entry}" is neither `),
        entry,
      );
    }
  });
});

describe("a refusal", () => {
  it("names the address, the host and the setting", () => {
    assert.equal(
      refusal("10.0.0.5", "internal", { reason: "private", never: false }).message,
      'address 10.0.0.5 of host "internal" is private; add it to EGRESS_ALLOW to allow it',
    );
    assert.equal(
      refusal("169.254.169.254", "169.254.169.254", { reason: "link-local", never: true }).message,
      "address 169.254.169.254 is link-local, which is never allowed",
    );
  });
});
