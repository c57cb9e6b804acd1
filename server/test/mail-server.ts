/** A real SMTP server that records what it receives. */
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import type { SmtpSettings } from "#lib/smtp-settings";

export type { SmtpSettings } from "#lib/smtp-settings";

export interface ReceivedEmail {
  readonly from: string;
  readonly to: readonly string[];
  /** As sent, with headers. */
  readonly raw: string;
  readonly isSecure: boolean;
  readonly user: string | undefined;
}

export interface MailServer {
  readonly port: number;
  /** Settings of a service that uses it, without TLS and sign-in. */
  readonly settings: SmtpSettings;
  readonly received: ReceivedEmail[];
  /** Rejects a recipient with this reply. */
  rejectRecipient: { readonly code: number; readonly message: string } | undefined;
  close(): Promise<void>;
}

export async function startMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const server = new SMTPServer({
    ...{ authOptional: true, disabledCommands: ["STARTTLS"], disableReverseLookup: true, logger: false },
    onRcptTo(_address, _session, callback) {
      const { rejectRecipient: rejected } = mail;
      callback(rejected ? Object.assign(new Error(rejected.message), { responseCode: rejected.code }) : undefined);
    },
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const { mailFrom, rcptTo } = session.envelope;
        mail.received.push({
          from: mailFrom ? mailFrom.address : "",
          to: rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString("utf8"),
          isSecure: session.secure,
          user: typeof session.user === "string" ? session.user : undefined,
        });
        callback();
      });
    },
    ...options,
  });
  // A client that breaks off is not a failure of the test.
  server.on("error", () => undefined);
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  const { port } = server.server.address() as AddressInfo; // it listens on TCP
  const mail: MailServer = {
    port,
    settings: {
      ...{ host: "127.0.0.1", port, security: "none", user: undefined, password: undefined },
      from: { name: "Acme", address: "gatehouse@example.com" },
    },
    received: [],
    rejectRecipient: undefined,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return mail;
}
