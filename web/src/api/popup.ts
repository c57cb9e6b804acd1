import { useEffect, useEffectEvent } from "react";

/** What a window of ours tells all others when that for which it was opened is over (WEB-7). Nothing worth stealing. */
export type Outcome = "connected" | "failed" | "confirmed";

const CHANNEL = "gatehouse-connect";

export function usePopupOutcome(onOutcome: (outcome: Outcome) => void): void {
  const tell = useEffectEvent(onOutcome);
  useEffect(() => {
    const channel = new BroadcastChannel(CHANNEL);
    // Only pages of our own origin reach this channel.
    channel.onmessage = ({ data }: MessageEvent<{ outcome: Outcome }>) => tell(data.outcome);
    return () => channel.close();
  }, []);
}

interface Addresses {
  readonly popup: string;
  /** Where the browser allows no other window. */
  readonly here: string;
}

/** Says where it leads. */
export function openPopup({ popup, here }: Addresses): "popup" | "here" {
  const opened = window.open(popup, CHANNEL, "popup,width=560,height=760");
  if (opened === null || opened.closed) {
    window.location.assign(here);
    return "here";
  }
  opened.focus();
  return "popup";
}
