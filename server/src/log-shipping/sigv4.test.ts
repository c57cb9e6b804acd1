import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { encodeKey, signS3Request } from "./sigv4.ts";

describe("AWS Signature Version 4 for S3", () => {
  it("signs the example of the Amazon S3 API reference, PUT Object, with the published signature", () => {
    const url = new URL(`https://examplebucket.s3.amazonaws.com/${encodeKey("test$file.text")}`);
    const headers = { date: "Fri, 24 May 2013 00:00:00 GMT", "x-amz-storage-class": "REDUCED_REDUNDANCY" };
    const body = Buffer.from("Welcome to Amazon S3.");
    const key = {
      accessKeyId: "AKIAIOSFODNN7EXAMPLE",
      secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
      region: "us-east-1",
    };
    const signed = signS3Request({ method: "PUT", url, headers, body, at: Date.UTC(2013, 4, 24) }, key);
    assert.equal(signed["x-amz-date"], "20130524T000000Z");
    assert.equal(signed["x-amz-content-sha256"], "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072");
    assert.equal(
      signed.authorization,
      "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, SignedHeaders=date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class, Signature=98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd",
    );
  });
});
