import { type UseFormReturnType, useForm } from "@mantine/form";
import { useState } from "react";
import { fieldError } from "./failure.ts";

interface ServerFormOptions<Values extends Record<string, unknown>> {
  readonly initial: Values;
  /** Client-side validation: field name → message. */
  readonly validate?: (values: Values) => Partial<Record<keyof Values & string, string>>;
  /** Maps a field of the request body to a field of the form, if the names differ. */
  readonly fieldOf?: (bodyField: string) => string | undefined;
  submit(values: Values): Promise<unknown>;
}

export interface ServerForm<Values extends Record<string, unknown>> {
  readonly form: UseFormReturnType<Values>;
  /** For `<form onSubmit>`. */
  readonly onSubmit: (event?: React.FormEvent<HTMLFormElement>) => void;
  readonly isWorking: boolean;
  /** An error that belongs to no field, for an `ErrorNote`. */
  readonly error: unknown;
}

/**
 * A form that shows validation errors of the API: at the field that the message names, or otherwise next to the button.
 * The entered values are kept.
 */
export function useServerForm<Values extends Record<string, unknown>>(
  options: ServerFormOptions<Values>,
): ServerForm<Values> {
  const { initial, validate, fieldOf = (field) => field, submit } = options;
  const [isWorking, setWorking] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const form = useForm<Values>({ initialValues: initial, validate: (values) => validate?.(values) ?? {} });
  const send = async (values: Values) => {
    setError(null);
    setWorking(true);
    try {
      await submit(values);
    } catch (failure) {
      const invalid = fieldError(failure);
      const field = invalid && fieldOf(invalid.field);
      if (invalid && field !== undefined && isField(field, values)) form.setFieldError(field, invalid.message);
      else setError(failure);
    } finally {
      setWorking(false);
    }
  };
  const onSubmit = form.onSubmit(
    (values) => void send(values),
    (_errors, _values, event) => {
      event?.preventDefault();
      event?.currentTarget.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
    },
  );
  return { form, onSubmit, isWorking, error };
}

/** Also a field of an entry, such as `conditions.0.value`. */
function isField(field: string, values: Record<string, unknown>): boolean {
  const [name = "", index, member, ...rest] = field.split(".");
  if (index === undefined) return name in values;
  const list = values[name];
  const entry: unknown = Array.isArray(list) ? list[Number(index)] : undefined;
  return rest.length === 0 && member !== undefined && typeof entry === "object" && entry !== null && member in entry;
}
