import { EMPTY_VALUES, type IssuerValues, type Operator } from "./issuer-values.ts";

export type PresetName = "github" | "gitlab" | "kubernetes" | "entra" | "google" | "other";

export const PRESETS: ReadonlyArray<{ readonly value: PresetName; readonly label: string }> = [
  { value: "github", label: "GitHub Actions" },
  { value: "gitlab", label: "GitLab" },
  { value: "kubernetes", label: "Kubernetes" },
  { value: "entra", label: "Microsoft Entra" },
  { value: "google", label: "Google Cloud" },
  { value: "other", label: "Other" },
];

const condition = (claim: string, operator: Operator, value: string) => ({ key: claim, claim, operator, value });
const workload = { mode: "fixed", require_api_key: false } as const;

/** What issuers of common workloads need; values of the organization are left to fill in. */
export function presetValues(preset: PresetName, baseUrl: string): IssuerValues {
  const base = { ...EMPTY_VALUES, audiences: [baseUrl] };
  switch (preset) {
    case "github":
      return {
        ...{ ...base, ...workload, name: "GitHub Actions", issuer: "https://token.actions.githubusercontent.com" },
        conditions: [condition("repository", "matches", "your-org/*"), condition("ref", "equals", "refs/heads/main")],
      };
    case "gitlab":
      return {
        ...{ ...base, ...workload, name: "GitLab", issuer: "https://gitlab.com" },
        conditions: [condition("namespace_path", "equals", "your-group"), condition("ref_protected", "equals", "true")],
      };
    case "kubernetes":
      return {
        ...{ ...base, ...workload, name: "Kubernetes" },
        conditions: [
          condition("kubernetes.io > namespace", "equals", "default"),
          condition("kubernetes.io > serviceaccount > name", "equals", "agent"),
        ],
      };
    case "entra":
      return {
        ...{ ...base, name: "Microsoft Entra", issuer: "https://login.microsoftonline.com/<tenant ID>/v2.0" },
        ...{ audiences: [], claim: "oid", match: "external_id" },
        conditions: [condition("tid", "equals", "<tenant ID>")],
      };
    case "google":
      return {
        ...{ ...base, ...workload, name: "Google Cloud", issuer: "https://accounts.google.com" },
        conditions: [condition("email", "equals", "agent@your-project.iam.gserviceaccount.com")],
      };
    case "other":
      return base;
  }
}
