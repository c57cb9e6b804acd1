import { type UseFormReturnType, useForm } from "@mantine/form";
import { useState } from "react";
import { fieldError } from "./failure.ts";

interface ServerFormOptions<Values extends Record<string, unknown>> {
  readonly initial: Values;
  /** What can be said before asking the service; the field's name → the sentence. */
  readonly validate?: (values: Values) => Partial<Record<keyof Values & string, string>>;
  /** The field of this form in which a fault of the body's field is shown, where the names differ. */
  readonly fieldOf?: (bodyField: string) => string | undefined;
  submit(values: Values): Promise<unknown>;
}

export interface ServerForm<Values extends Record<string, unknown>> {
  readonly form: UseFormReturnType<Values>;
  /** For `<form onSubmit>`. */
  readonly onSubmit: (event?: React.FormEvent<HTMLFormElement>) => void;
  readonly isWorking: boolean;
  /** What belongs to no field: for an `ErrorNote`. */
  readonly error: unknown;
}

/**
 * A form whose faults the service tells: a sentence that names a field is shown at that field, any other beside the
 * button. What was typed always stays.
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
      const fault = fieldError(failure);
      const field = fault && fieldOf(fault.field);
      if (fault && field !== undefined && field in initial) form.setFieldError(field, fault.message);
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
