import { z } from "zod";
import { flag } from "#api/kit/body-fields";
import { emailOptOuts, isEmailEnabled } from "#records/emails";
import type { MainDb } from "#storage/database";
import { OPTIONAL_EMAIL_KINDS, type OptionalEmailKind } from "#storage/email-tables";

const descriptions: Readonly<Record<OptionalEmailKind, string>> = {
  approval_requested: "A call waits for an approval. For owners and admins",
  access_requested: "A person requests access to a server. For owners and admins",
  access_decided: "A request of the caller was approved or denied",
  connection_expired: "A connection of the caller no longer works",
};

const notice = (kind: OptionalEmailKind) => flag().describe(descriptions[kind]);
const notices = {
  approval_requested: notice("approval_requested"),
  access_requested: notice("access_requested"),
  access_decided: notice("access_decided"),
  connection_expired: notice("connection_expired"),
};

export const UpdateEmailNoticesBody = z
  .object(notices)
  .partial()
  .meta({
    id: "UpdateEmailNotices",
    description: "Notices to turn on or off",
    example: { access_requested: false },
  });

export const EmailNotices = z
  .object({
    mail_server: z.boolean().describe("Whether the installation sends email"),
    ...notices,
  })
  .meta({
    id: "EmailNotices",
    description: "Which notices the caller gets by email. Emails about the security of the account are always sent",
  });

export async function presentEmailNotices(db: MainDb, userId: string): Promise<z.input<typeof EmailNotices>> {
  const off = await emailOptOuts(db, userId);
  const isOn = (kind: OptionalEmailKind) => !off.includes(kind);
  return {
    mail_server: await isEmailEnabled(db),
    approval_requested: isOn("approval_requested"),
    access_requested: isOn("access_requested"),
    access_decided: isOn("access_decided"),
    connection_expired: isOn("connection_expired"),
  };
}

/** What is turned off after the change. */
export function changedOptOuts(
  before: readonly OptionalEmailKind[],
  changes: z.output<typeof UpdateEmailNoticesBody>,
): OptionalEmailKind[] {
  return OPTIONAL_EMAIL_KINDS.filter((kind) => !(changes[kind] ?? !before.includes(kind)));
}
