import { Anchor, Button, type ButtonProps, Menu, type MenuItemProps } from "@mantine/core";
import { createLink } from "@tanstack/react-router";
import type { ComponentProps } from "react";

/** Mantine components as router links: paths, parameters, and search are type-checked. */
export const LinkButton = createLink(function ButtonLink(props: ButtonProps & LinkRest<ButtonProps>) {
  return <Button component="a" {...props} />;
});
export const LinkItem = createLink(function ItemLink(props: MenuItemProps & LinkRest<MenuItemProps>) {
  return <Menu.Item component="a" {...props} />;
});
export const TextLink = createLink(Anchor<"a">);

/** A link whose `aria-current` the caller decides; the router only compares URLs. */
export const MarkedLink = createLink(function Marked({ isCurrent, ...props }: MarkedProps) {
  return <a {...props} aria-current={isCurrent ? "page" : undefined} />;
});

type MarkedProps = ComponentProps<"a"> & { readonly isCurrent: boolean };

/** Anchor properties that the Mantine component does not define. */
type LinkRest<Props> = Omit<ComponentProps<"a">, keyof Props>;
