const SECRET = `whsec_${Buffer.from("canary-7f3a-secretcanary-7f3a-secret").toString("base64")}`;
const LONG_AGO = "2020-01-01T00:00:00Z";
const PATH = "/api/log-destinations";

/** Paused, because shipping changes rows at any time. */
export const DESTINATION = {
  ...{ kind: "webhook", sources: ["audit"], url: "https://logs.example.com/", secret: SECRET, enabled: false },
};

/** Every write of log destinations once: its name, request, and sides in the audit log. */
export const DESTINATION_WRITES: readonly [string, string, string, object | undefined, string][] = [
  ["createLogDestination", "POST", PATH, { ...DESTINATION, name: "Audited" }, "after"],
  ["updateLogDestination", "PATCH", `${PATH}?id={destination}`, { secret: SECRET }, "both"],
  ["rewindLogDestination", "POST", `${PATH}/{destination}/rewind`, { to: LONG_AGO }, "both"],
  ["deleteLogDestination", "DELETE", `${PATH}?id={destination}`, undefined, "before"],
];

export const REJECTED_DESTINATION_WRITES: readonly [string, string, object?][] = [
  ["POST", PATH, { ...DESTINATION, name: "x", url: "http://10.0.0.1/" }],
  ["POST", PATH, { ...DESTINATION, name: "x", bucket: "logs" }],
  ["PATCH", `${PATH}?id=nothing`, { enabled: false }],
  ["DELETE", `${PATH}?id=nothing`],
  ["POST", `${PATH}/nothing/rewind`, { to: LONG_AGO }],
];
