/** The operator's mail server. */
export interface SmtpSettings {
  readonly host: string;
  readonly port: number;
  /** `tls`: from the first byte. `starttls`: the connection is upgraded, or the email is not sent. */
  readonly security: "starttls" | "tls" | "none";
  readonly user: string | undefined;
  readonly password: string | undefined;
  /** The sender. */
  readonly from: { readonly name: string; readonly address: string };
}
