import { Anchor, Button, Menu } from "@mantine/core";
import { createLink } from "@tanstack/react-router";

/** Parts of Mantine that lead to a page of ours: the router knows the paths, their parameters and what `search` may hold. */
export const LinkButton = createLink(Button<"a">);
export const LinkItem = createLink(Menu.Item<"a">);
export const TextLink = createLink(Anchor<"a">);
