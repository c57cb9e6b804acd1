import { type UseFormReturnType, useForm } from "@mantine/form";
import { useEffect, useRef, useState } from "react";
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
 * The entered values are kept. The first field with an error gets the focus, which also scrolls it into view.
 */
export function useServerForm<Values extends Record<string, unknown>>(
  options: ServerFormOptions<Values>,
): ServerForm<Values> {
  const { initial, validate, fieldOf = (field) => field, submit } = options;
  const [isWorking, setWorking] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const { keepElement, reject } = useFocusAfterRejection();
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
      reject();
    } finally {
      setWorking(false);
    }
  };
  const submitForm = form.onSubmit((values) => void send(values), reject);
  const onSubmit = (event?: React.FormEvent<HTMLFormElement>) => {
    keepElement(event?.currentTarget);
    submitForm(event);
  };
  return { form, onSubmit, isWorking, error };
}

/** Groups of checkboxes are marked only by the message that follows them. */
const FIRST_INVALID = '[aria-invalid="true"], :has(~ .mantine-InputWrapper-error) input';
const SUBMIT_BUTTON = '[type="submit"]';

/** Moves the focus after React has rendered the errors. Without a field to correct, the button that was pressed gets it back. */
function useFocusAfterRejection() {
  const element = useRef<HTMLFormElement | undefined>(undefined);
  const [rejections, setRejections] = useState(0);
  useEffect(() => {
    if (rejections === 0) return;
    const find = (selector: string) => element.current?.querySelector<HTMLElement>(selector);
    (find(FIRST_INVALID) ?? find(SUBMIT_BUTTON))?.focus();
  }, [rejections]);
  return {
    keepElement: (submitted: HTMLFormElement | undefined) => {
      element.current = submitted;
    },
    reject: () => setRejections((count) => count + 1),
  };
}

/** Also a field of an entry, such as `conditions.0.value`. */
function isField(field: string, values: Record<string, unknown>): boolean {
  const [name = "", index, member, ...rest] = field.split(".");
  if (index === undefined) return name in values;
  const list = values[name];
  const entry: unknown = Array.isArray(list) ? list[Number(index)] : undefined;
  return rest.length === 0 && member !== undefined && typeof entry === "object" && entry !== null && member in entry;
}
