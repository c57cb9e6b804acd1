import { Anchor, Button, type ButtonProps, Menu, type MenuItemProps } from "@mantine/core";
import { createLink } from "@tanstack/react-router";
import type { ComponentProps } from "react";

/** Parts of Mantine that lead to a page of ours: the router knows the paths, their parameters and what `search` may hold. */
export const LinkButton = createLink(function ButtonLink(props: ButtonProps & LinkRest<ButtonProps>) {
  return <Button component="a" {...props} />;
});
export const LinkItem = createLink(function ItemLink(props: MenuItemProps & LinkRest<MenuItemProps>) {
  return <Menu.Item component="a" {...props} />;
});
export const TextLink = createLink(Anchor<"a">);

/** A link that is told whether it is the open one; the router itself would only compare addresses. */
export const MarkedLink = createLink(function Marked({ isCurrent, ...props }: MarkedProps) {
  return <a {...props} aria-current={isCurrent ? "page" : undefined} />;
});

type MarkedProps = ComponentProps<"a"> & { readonly isCurrent: boolean };

/** What a link takes beside the properties of the part that it looks like. */
type LinkRest<Props> = Omit<ComponentProps<"a">, keyof Props>;
