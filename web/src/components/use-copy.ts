import { notifications } from "@mantine/notifications";
import { useEffect, useState } from "react";

const COPIED_MS = 1500;

/** Copies text. `copied` is true for a moment afterwards. */
export function useCopy() {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), COPIED_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  return { copied, copy: (text: string) => void copyText(text).then(setCopied) };
}

/** Returns whether the text was copied, and otherwise shows why: browsers block copying on pages without HTTPS. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    notifications.show({
      color: "red",
      title: "Not copied",
      message: "The browser blocked access to the clipboard. Allow it in the browser, or select the text and copy it.",
    });
    return false;
  }
}
