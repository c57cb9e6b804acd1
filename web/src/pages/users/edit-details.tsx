import { Button, NumberInput, Select, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useApi } from "../../api/context.tsx";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { notifyDone } from "../../components/notify.tsx";
import { useServerForm } from "../../components/server-form.ts";
import { ROLE_LABELS, ROLES, type Role } from "./roles.ts";
import { type User, usersKey } from "./users.ts";
import "./users.css";

interface EditDetailsProps {
  readonly user: User;
  /** Only owners can change roles, and machine users have none. */
  readonly canEditRole: boolean;
}

interface Details extends Record<string, unknown> {
  readonly name: string;
  readonly role: Role;
  readonly risk_score: number | string;
}

/** The name, role, and risk score, saved together. A changed role is confirmed first. */
export function EditDetails(props: EditDetailsProps) {
  const { email, name, role, risk_score: score } = props.user;
  // Starts again from the saved values.
  return <DetailsForm key={JSON.stringify([email, name, role, score])} {...props} />;
}

function DetailsForm({ user, canEditRole }: EditDetailsProps) {
  const api = useApi();
  const queries = useQueryClient();
  const [isAsking, asking] = useDisclosure();
  const save = async ({ name, role, risk_score: score }: Details) => {
    const risk = score === "" ? null : Number(score);
    const body = {
      ...(name.trim() === user.name ? {} : { name: name.trim() }),
      ...(role === user.role ? {} : { role }),
      ...(risk === user.risk_score ? {} : { risk_score: risk }),
    };
    await api.updateUser({ query: { email: user.email }, body });
    notifyDone();
    await queries.invalidateQueries({ queryKey: usersKey });
  };
  const initial: Details = { name: user.name, role: user.role, risk_score: user.risk_score ?? "" };
  const { form, onSubmit, isWorking, error } = useServerForm({
    initial,
    validate: ({ name }): { name?: string } => (name.trim() === "" ? { name: "Enter a name" } : {}),
    submit: async (values) => (values.role === user.role ? save(values) : asking.open()),
  });
  const confirmed = useMutation({ mutationFn: () => save(form.values), onSuccess: asking.close });
  const { name, role, risk_score: score } = form.values;
  const isSame = name.trim() === user.name && role === user.role && score === (user.risk_score ?? "");
  return (
    <>
      <form onSubmit={onSubmit} noValidate className="gh-details-form">
        <TextInput
          label="Name"
          {...(user.provisioned_by === "scim" && { disabled: true, description: "Managed by your identity provider" })}
          inputWrapperOrder={["label", "input", "description", "error"]}
          {...form.getInputProps("name")}
        />
        {canEditRole && (
          <Select
            label="Role"
            data={ROLES.map((value) => ({ value, label: ROLE_LABELS[value].label }))}
            description={ROLE_LABELS[role].description}
            inputWrapperOrder={["label", "input", "description", "error"]}
            allowDeselect={false}
            {...form.getInputProps("role")}
          />
        )}
        <NumberInput
          label="Risk score"
          description="Optional, from 0 to 100"
          inputWrapperOrder={["label", "input", "description", "error"]}
          min={0}
          max={100}
          hideControls
          {...form.getInputProps("risk_score")}
        />
        <ErrorNote error={error} />
        <div>
          <Button type="submit" loading={isWorking} disabled={isSame}>
            Save changes
          </Button>
        </div>
      </form>
      <ConfirmDialog
        opened={isAsking}
        title={`Change the role of ${user.name}?`}
        action="Change role"
        isWorking={confirmed.isPending}
        error={confirmed.error}
        onClose={asking.close}
        onConfirm={() => confirmed.mutate()}
      >
        {`${user.name} changes from ${ROLE_LABELS[user.role].label} to ${ROLE_LABELS[role].label}. ${ROLE_LABELS[role].description}${user.role === "owner" ? " API tokens that they created are deleted." : ""}`}
      </ConfirmDialog>
    </>
  );
}
