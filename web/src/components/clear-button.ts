/** Props for the clear button of a select. By default, Mantine hides it from the keyboard and from screen readers. */
export function clearButton(label: string) {
  return { tabIndex: 0, "aria-hidden": false, "aria-label": label } as const;
}
