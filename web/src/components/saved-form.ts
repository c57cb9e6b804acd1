import { useEffect, useRef } from "react";
import { type ServerForm, useServerForm } from "./server-form.ts";

type ServerFormOptions<Values extends Record<string, unknown>> = Parameters<typeof useServerForm<Values>>[0];

interface SavedFormOptions<Values extends Record<string, unknown>>
  extends Omit<ServerFormOptions<Values>, "initial" | "submit"> {
  /** The values of the record. */
  readonly saved: Values;
  /** `before`: the saved values that the user changed, from which `changedFields` gets the fields to send. */
  submit(values: Values, before: Values): Promise<unknown>;
  /** What the form shows after saving these values, if it never shows some of them, such as secrets. */
  readonly shownAfter?: (values: Values) => Values;
}

interface SavedForm<Values extends Record<string, unknown>> extends ServerForm<Values> {
  /** Saves the values without validating them. */
  save(): Promise<void>;
}

/**
 * The form of a saved record. Fields that the user did not change follow the record when something else changes it, such
 * as another form, a button, or another admin. Changed fields keep what the user entered, also while a save is running.
 */
export function useSavedForm<Values extends Record<string, unknown>>(
  options: SavedFormOptions<Values>,
): SavedForm<Values> {
  const { saved, submit, shownAfter = (values) => values, ...rest } = options;
  /** What fields without changes show. */
  const before = useRef(saved);
  const followed = useRef(JSON.stringify(saved));
  const follow = (next: Values, unchanged: Values) => {
    const changed = changedFields(unchanged, form.getValues());
    before.current = next;
    form.setInitialValues(next);
    form.setValues({ ...next, ...changed });
  };
  const send = async (values: Values) => {
    await submit(values, before.current);
    follow(shownAfter(values), values);
  };
  const serverForm = useServerForm({ ...rest, initial: saved, submit: send });
  const { form, isWorking } = serverForm;
  useEffect(() => {
    const text = JSON.stringify(saved);
    // The record as this form saves it can arrive before the save is finished.
    if (isWorking || followed.current === text) return;
    followed.current = text;
    follow(saved, before.current);
  });
  return { ...serverForm, save: () => send(form.getValues()) };
}

/** Only these are sent, so that two admins who edit different fields do not overwrite each other. */
export function changedFields<Values extends Record<string, unknown>>(before: Values, now: Values): Partial<Values> {
  const changed = Object.entries(now).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name]));
  // Its own fields.
  return Object.fromEntries(changed) as Partial<Values>;
}
