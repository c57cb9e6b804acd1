import type { Outcome } from "../logs/call-labels.ts";
import type { Kind, LogDestination } from "./log-destinations.ts";

export interface DestinationValues extends Record<string, unknown> {
  name: string;
  kind: Kind;
  sources: LogDestination["sources"];
  /** Empty: all. */
  outcomes: Outcome[];
  url: string;
  region: string;
  bucket: string;
  prefix: string;
  addressing: NonNullable<LogDestination["addressing"]>;
  access_key_id: string;
  /** The API does not return secrets. Empty: none, or the stored one. */
  secret_access_key: string;
  authorization: string;
  secret: string;
  removes_headers: boolean;
}

export const NEW_DESTINATION: DestinationValues = {
  ...{ name: "", kind: "otlp", sources: ["calls", "audit"], outcomes: [], url: "", region: "", bucket: "", prefix: "" },
  ...{ addressing: "path", access_key_id: "", secret_access_key: "", authorization: "", secret: "" },
  removes_headers: false,
};

export function valuesOf(destination: LogDestination): DestinationValues {
  const { name, kind, sources, outcomes, url, region, bucket, prefix, addressing, access_key_id } = destination;
  return {
    ...NEW_DESTINATION,
    ...{ name, kind, sources: [...sources], outcomes: [...(outcomes ?? [])] },
    ...{ url: url ?? "", region: region ?? "", bucket: bucket ?? "", prefix: prefix ?? "" },
    ...{ addressing: addressing ?? "path", access_key_id: access_key_id ?? "" },
  };
}

/** Only the fields of the kind; the API rejects others. Empty secrets are left out. */
export function bodyOf({ kind, ...values }: DestinationValues) {
  const { name, sources, outcomes, url, region, bucket, prefix, addressing } = values;
  const common = { name: name.trim(), sources, outcomes: outcomes.length === 0 ? null : outcomes };
  if (kind === "file") return { ...common, prefix };
  if (kind === "s3") {
    const secretAccessKey = values.secret_access_key.trim();
    const key = { access_key_id: values.access_key_id.trim(), ...given("secret_access_key", secretAccessKey) };
    return { ...common, url, region, bucket, addressing, prefix, ...key };
  }
  return { ...common, url, ...headersOf(values), ...(kind === "webhook" && given("secret", values.secret.trim())) };
}

function headersOf({ authorization, removes_headers }: Pick<DestinationValues, "authorization" | "removes_headers">) {
  if (authorization !== "") return { headers: { Authorization: authorization } };
  return removes_headers ? { headers: {} } : {};
}

function given(name: "secret" | "secret_access_key", value: string) {
  return value === "" ? {} : { [name]: value };
}
