import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ConfirmByName } from "../../components/confirm-by-name.tsx";
import { Section } from "../../components/section.tsx";

interface DeleteSectionProps {
  /** "skill" */
  readonly kind: string;
  readonly name: string;
  /** The text to type. */
  readonly slug: string;
  readonly description: string;
  /** What the dialog says about the consequences. */
  readonly children: ReactNode;
  remove(): Promise<unknown>;
  /** Leaves the page, and then reads the list again. */
  onDeleted(): Promise<void>;
}

/** The last section of a settings tab. */
export function DeleteSection({ kind, name, slug, description, children, remove, onDeleted }: DeleteSectionProps) {
  const [isOpen, dialog] = useDisclosure();
  const deletion = useMutation({ mutationFn: remove, onSuccess: onDeleted });
  return (
    <Section
      danger
      title={`Delete ${kind}`}
      description={description}
      actions={
        <Button color="red" variant="outline" onClick={dialog.open}>
          {`Delete ${kind}…`}
        </Button>
      }
    >
      <ConfirmByName
        opened={isOpen}
        title={`Delete ${name}?`}
        name={slug}
        action={`Delete ${kind}`}
        isWorking={deletion.isPending}
        error={deletion.error}
        onConfirm={() => deletion.mutate()}
        onClose={dialog.close}
      >
        {children}
      </ConfirmByName>
    </Section>
  );
}
