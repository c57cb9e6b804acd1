import type { ReactNode } from "react";
import { Locked, useMe, useRights } from "../../api/context.tsx";
import { Note } from "../../components/note.tsx";
import { actsAsPeople, type Issuer } from "./issuers.ts";

export function useCanTrust(): (subject: Parameters<typeof actsAsPeople>[0]) => boolean {
  const isOwner = useMe().data.scopes.includes("all");
  const { changes } = useRights();
  return (subject) => changes && (isOwner || !actsAsPeople(subject));
}

/** The settings of an issuer, which admins can read if only owners can change them. */
export function OwnersOnly({ issuer, children }: { issuer: Issuer; children: ReactNode }) {
  const { changes } = useRights();
  const canTrust = useCanTrust()(issuer.subject);
  return (
    <>
      {changes && !canTrust && (
        <Note>Only an owner can change an issuer whose tokens act as people. You can disable it, and delete it.</Note>
      )}
      <Locked isLocked={!canTrust}>{children}</Locked>
    </>
  );
}
