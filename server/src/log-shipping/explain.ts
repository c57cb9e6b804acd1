/** What a failed response means, and what to do about it. */
export function explainStatus(status: number): string {
  if (status >= 300 && status < 400)
    return `The receiver redirects (${status}). Redirects are not followed; save the final URL`;
  switch (status) {
    case 401:
    case 403:
      return `The receiver rejected the credentials (${status}). Check the headers`;
    case 404:
    case 405:
      return `The receiver does not accept logs at this URL (${status}). Check the path of the URL`;
    case 413:
      return "The receiver rejected the request because it is too large (413)";
    case 415:
      return "The receiver does not accept this format (415). Check the kind of the destination";
    case 429:
      return "The receiver accepts no more requests at the moment (429)";
    default:
      return `The receiver responded with status ${status}`;
  }
}

const ADVICE: Readonly<Record<string, string>> = {
  SignatureDoesNotMatch: "Check the secret access key and the region",
  InvalidAccessKeyId: "Check the access key ID",
  AccessDenied: "Check that the access key may write to the bucket",
  NoSuchBucket: "Check the name of the bucket",
  AuthorizationHeaderMalformed: "Check the region",
  PermanentRedirect: "Check the endpoint and the region",
  RequestTimeTooSkewed: "Synchronize the clock of this machine",
};

/** S3 services name the cause in an XML body. */
export function explainS3Status(status: number, response: string): string {
  const code = /<Code>([A-Za-z0-9.]{1,80})<\/Code>/.exec(response)?.[1];
  if (code === undefined) return explainStatus(status).replace("Check the headers", "Check the access key");
  return `The bucket rejected the object (${status} ${code}). ${ADVICE[code] ?? "Check the bucket and the access key"}`;
}
