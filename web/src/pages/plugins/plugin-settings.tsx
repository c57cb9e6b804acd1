import { Button, MultiSelect, TagsInput, Textarea, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { Schemas } from "../../api/client.ts";
import { useApi, useRights } from "../../api/context.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { notifyDone } from "../../components/notify.tsx";
import { Section } from "../../components/section.tsx";
import { useServerForm } from "../../components/server-form.ts";
import { DeleteSection } from "../records/delete-section.tsx";
import { SettingsFields } from "../records/settings-fields.tsx";
import { type Plugin, pluginsKey, TARGETS } from "./plugins.ts";
import { useSavePlugin } from "./save-plugin.ts";

export function PluginSettings({ plugin }: { plugin: Plugin }) {
  const { changes } = useRights();
  const { hooks, name, description, category, homepage, license, author, keywords, targets } = plugin;
  const general = { name, description, category, homepage, license, author, keywords, targets };
  return (
    <>
      <General plugin={plugin} key={JSON.stringify(general)} />
      <Hooks plugin={plugin} key={`hooks ${JSON.stringify(hooks)}`} />
      {changes && plugin.status === "active" && <Unpublish slug={plugin.slug} />}
      {changes && <Danger plugin={plugin} />}
    </>
  );
}

function General({ plugin }: { plugin: Plugin }) {
  const save = useSavePlugin(plugin);
  const { name, description, category, homepage, license, author } = plugin;
  const serverForm = useServerForm({
    initial: {
      ...{ name, description, category: category ?? "", homepage: homepage ?? "", license: license ?? "" },
      ...{ author: author?.name ?? "", keywords: [...plugin.keywords], targets: [...plugin.targets] },
    },
    validate: ({ name: given, targets }): { name?: string; targets?: string } => ({
      ...(given.trim() === "" && { name: "Enter a name" }),
      ...(targets.length === 0 && { targets: "Choose at least one client" }),
    }),
    fieldOf: (field) => field.split(".")[0],
    submit: (values) => {
      const given = (text: string) => text.trim() || null;
      const by = given(values.author);
      return save.mutateAsync({
        ...{ name: values.name.trim(), description: values.description.trim(), keywords: values.keywords },
        ...{ category: given(values.category), homepage: given(values.homepage), license: given(values.license) },
        ...{ targets: values.targets, author: by === null ? null : { ...author, name: by } },
      });
    },
  });
  const { form } = serverForm;
  return (
    <Section title="General" description="The marketplace shows these fields of the latest release.">
      <SettingsFields form={serverForm}>
        <TextInput label="Name" {...form.getInputProps("name")} />
        <Textarea label="Description" autosize minRows={2} maxRows={10} {...form.getInputProps("description")} />
        <MultiSelect label="Clients" data={[...TARGETS]} {...form.getInputProps("targets")} />
        <TextInput label="Author" description="Empty: the organization" {...form.getInputProps("author")} />
        <TextInput label="Category" {...form.getInputProps("category")} />
        <TagsInput label="Keywords" maxTags={10} {...form.getInputProps("keywords")} />
        <TextInput label="Homepage" placeholder="https://" {...form.getInputProps("homepage")} />
        <TextInput label="License" placeholder="MIT" {...form.getInputProps("license")} />
      </SettingsFields>
    </Section>
  );
}

/** Undefined: not the JSON of an object. */
function parseHooks(text: string): Schemas["UpdatePlugin"]["hooks"] | undefined {
  if (text.trim() === "") return null;
  try {
    const value: unknown = JSON.parse(text);
    // The API checks the rest.
    return typeof value === "object" && value !== null ? (value as Schemas["UpdatePlugin"]["hooks"]) : undefined;
  } catch {
    return undefined;
  }
}

function Hooks({ plugin }: { plugin: Plugin }) {
  const save = useSavePlugin(plugin);
  const serverForm = useServerForm({
    initial: { hooks: plugin.hooks === null ? "" : JSON.stringify(plugin.hooks, null, 2) },
    validate: ({ hooks }): { hooks?: string } =>
      parseHooks(hooks) === undefined ? { hooks: "Enter a JSON object, or nothing" } : {},
    fieldOf: (field) => field.split(".")[0],
    submit: ({ hooks }) => save.mutateAsync({ hooks: parseHooks(hooks) }),
  });
  return (
    <Section
      title="Hooks"
      description="Commands that Claude Code runs at events, on the computers of users. They need the setting “Hooks in plugins”."
    >
      <SettingsFields form={serverForm}>
        <Textarea
          label="Hooks as JSON"
          placeholder='{"Stop": [{"hooks": [{"type": "command", "command": "echo done"}]}]}'
          autosize
          minRows={4}
          maxRows={20}
          className="gh-plugin-json"
          {...serverForm.form.getInputProps("hooks")}
        />
      </SettingsFields>
    </Section>
  );
}

function Unpublish({ slug }: { slug: string }) {
  const api = useApi();
  const queries = useQueryClient();
  const unpublish = useMutation({
    mutationFn: () => api.unpublishPlugin({ path: { slug } }),
    onSuccess: async () => {
      notifyDone("Unpublished");
      await queries.invalidateQueries({ queryKey: pluginsKey });
    },
  });
  return (
    <Section
      title="Unpublish"
      description="Members can no longer install or update it. Its releases stay, and you can publish it again."
      actions={
        <Button variant="default" onClick={() => unpublish.mutate()} loading={unpublish.isPending}>
          Unpublish
        </Button>
      }
    >
      <ErrorNote error={unpublish.error} />
    </Section>
  );
}

function Danger({ plugin: { slug, name } }: { plugin: Plugin }) {
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  return (
    <DeleteSection
      kind="plugin"
      name={name}
      slug={slug}
      description="Deletes its releases too. Clients remove it with the next update."
      remove={() => api.deletePlugin({ query: { slug } })}
      onDeleted={async () => {
        await navigate({ to: "/plugins", replace: true });
        await queries.invalidateQueries({ queryKey: pluginsKey });
      }}
    >
      Clients that cloned the marketplace must add it again. To keep it, unpublish the plugin instead.
    </DeleteSection>
  );
}
