import { useEffect, useEffectEvent } from "react";

/** The result that a popup broadcasts to the app's other windows (WEB-7). It contains no secrets. */
export type Outcome = "connected" | "failed" | "confirmed";

const CHANNEL = "gatehouse-connect";

export function usePopupOutcome(onOutcome: (outcome: Outcome) => void): void {
  const report = useEffectEvent(onOutcome);
  useEffect(() => {
    const channel = new BroadcastChannel(CHANNEL);
    // Only pages of the same origin can send to this channel.
    channel.onmessage = ({ data }: MessageEvent<{ outcome: Outcome }>) => report(data.outcome);
    return () => channel.close();
  }, []);
}

interface PopupUrls {
  readonly popup: string;
  /** Opened in this window if the browser blocks popups. */
  readonly here: string;
}

/** Returns where the page was opened. */
export function openPopup({ popup, here }: PopupUrls): "popup" | "here" {
  const opened = window.open(popup, CHANNEL, "popup,width=560,height=760");
  if (opened === null || opened.closed) {
    window.location.assign(here);
    return "here";
  }
  opened.focus();
  return "popup";
}
