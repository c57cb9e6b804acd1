import { z } from "zod";
import { commandsOfUser, definitionOf, listedArguments } from "#records/commands";
import type { MainDb } from "#storage/database";
import type { UserRow } from "#storage/user-tables";
import { CommandArgumentShape } from "./command-argument.ts";

export const UsableCommand = z
  .object({
    slug: z.string().meta({ description: "The name of its prompt at the gateway", example: "release-notes" }),
    name: z.string().meta({ description: "Display name", example: "Release notes" }),
    description: z.string().describe("What it does"),
    argument_hint: z.string().meta({ description: "Shown next to the name", example: "[version]" }),
    arguments: z.array(CommandArgumentShape).describe("What callers can send"),
  })
  .meta({ id: "UsableCommand", description: "An active command of a user's groups" });

export async function usableCommands(db: MainDb, user: Pick<UserRow, "id">): Promise<z.input<typeof UsableCommand>[]> {
  return (await commandsOfUser(db, user.id)).map((row) => {
    const definition = definitionOf(row);
    const { description, argument_hint } = definition;
    return { slug: row.slug, name: row.name, description, argument_hint, arguments: [...listedArguments(definition)] };
  });
}
