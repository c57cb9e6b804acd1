import { Anchor, Button, Menu } from "@mantine/core";
import { createLink } from "@tanstack/react-router";
import type { ComponentProps } from "react";

/** Parts of Mantine that lead to a page of ours: the router knows the paths, their parameters and what `search` may hold. */
export const LinkButton = createLink(Button<"a">);
export const LinkItem = createLink(Menu.Item<"a">);
export const TextLink = createLink(Anchor<"a">);

/** A link that is told whether it is the open one; the router itself would only compare addresses. */
export const MarkedLink = createLink(function Marked({ isCurrent, ...props }: MarkedProps) {
  return <a {...props} aria-current={isCurrent ? "page" : undefined} />;
});

type MarkedProps = ComponentProps<"a"> & { readonly isCurrent: boolean };
