import { Button, NumberInput, Group as Row, Select, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useId, useState } from "react";
import { useApi } from "../../api/context.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { useServerForm } from "../../components/server-form.ts";
import { ROLE_LABELS, ROLES, type Role } from "./roles.ts";
import { type User, usersKey } from "./users.ts";
import "./users.css";

function useUpdateUser({ email }: User) {
  const api = useApi();
  const queries = useQueryClient();
  return async (body: Parameters<typeof api.updateUser>[0]["body"]) => {
    await api.updateUser({ query: { email }, body });
    await queries.invalidateQueries({ queryKey: usersKey });
  };
}

function Edit({ label, children }: { label: string; children: (id: string) => ReactNode }) {
  const id = useId();
  return (
    <div className="gh-edit">
      <label htmlFor={id}>{label}</label>
      <div>{children(id)}</div>
    </div>
  );
}

export function EditName({ user }: { user: User }) {
  const update = useUpdateUser(user);
  const { form, onSubmit, isWorking, error } = useServerForm({
    initial: { name: user.name },
    validate: ({ name }): { name?: string } => (name.trim() === "" ? { name: "Enter a name" } : {}),
    submit: ({ name }) => update({ name: name.trim() }),
  });
  return (
    <Edit label="Name">
      {(id) => (
        <form onSubmit={onSubmit} noValidate>
          <Row gap="xs" align="flex-start" wrap="nowrap">
            <TextInput id={id} flex={1} {...form.getInputProps("name")} />
            <Save isWorking={isWorking} isSame={form.values.name.trim() === user.name} />
          </Row>
          <ErrorNote error={error} />
        </form>
      )}
    </Edit>
  );
}

export function EditRisk({ user }: { user: User }) {
  const update = useUpdateUser(user);
  const { form, onSubmit, isWorking, error } = useServerForm({
    initial: { risk_score: user.risk_score ?? "" } as { risk_score: number | string },
    submit: ({ risk_score: score }) => update({ risk_score: score === "" ? null : Number(score) }),
  });
  return (
    <Edit label="Risk score">
      {(id) => (
        <form onSubmit={onSubmit} noValidate>
          <Row gap="xs" align="flex-start" wrap="nowrap">
            <NumberInput
              id={id}
              flex={1}
              min={0}
              max={100}
              placeholder="None, or 0 to 100"
              hideControls
              {...form.getInputProps("risk_score")}
            />
            <Save isWorking={isWorking} isSame={form.values.risk_score === (user.risk_score ?? "")} />
          </Row>
          <ErrorNote error={error} />
        </form>
      )}
    </Edit>
  );
}

function Save({ isWorking, isSame }: { isWorking: boolean; isSame: boolean }) {
  return (
    <Button type="submit" variant="default" loading={isWorking} disabled={isSame}>
      Save
    </Button>
  );
}

/** Only owners can change roles. */
export function EditRole({ user }: { user: User }) {
  const update = useUpdateUser(user);
  const [role, setRole] = useState<Role>(user.role);
  const save = useMutation({ mutationFn: () => update({ role }) });
  return (
    <Edit label="Role">
      {(id) => (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            save.mutate();
          }}
        >
          <Row gap="xs" align="flex-start" wrap="nowrap">
            <Select
              id={id}
              flex={1}
              data={ROLES.map((value) => ({ value, label: ROLE_LABELS[value].label }))}
              value={role}
              onChange={(chosen) => setRole(ROLES.find((each) => each === chosen) ?? user.role)}
              description={ROLE_LABELS[role].description}
              inputWrapperOrder={["input", "description", "error"]}
              allowDeselect={false}
            />
            <Save isWorking={save.isPending} isSame={role === user.role} />
          </Row>
          <ErrorNote error={save.error} />
        </form>
      )}
    </Edit>
  );
}
