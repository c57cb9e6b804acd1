import {
  Button,
  Collapse,
  Fieldset,
  MultiSelect,
  NumberInput,
  Group as Row,
  Select,
  Stack,
  TagsInput,
  Text,
} from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import {
  CHOICE_CONDITIONS,
  conditionsFor,
  FLAG_CONDITIONS,
  isShown,
  LIST_CONDITIONS,
  type Match,
} from "./conditions.ts";

interface RuleConditionsProps {
  readonly kind: "mcp_server" | "skill";
  readonly match: Match;
  onChange(match: Match): void;
}

/** The conditions of a rule: the usual ones first, the others on request or if they are set. */
export function RuleConditions({ kind, match, onChange }: RuleConditionsProps) {
  const isUnusual = Object.keys(match).some((name) => !isShown(name) && name !== "min_risk");
  const [hasMore, more] = useDisclosure(isUnusual);
  const set = (name: keyof Match, value: unknown) => {
    const { [name]: _, ...rest } = match;
    const isEmpty = value === "" || value === undefined || (Array.isArray(value) && value.length === 0);
    onChange((isEmpty ? rest : { ...rest, [name]: value }) as Match);
  };
  const lists = conditionsFor(LIST_CONDITIONS, kind).map((condition) => ({
    ...condition,
    field: (
      <TagsInput
        key={condition.name}
        label={
          condition.name === "name" ? (kind === "skill" ? "Name of the skill" : "Name of the server") : condition.label
        }
        placeholder={condition.hint}
        value={textsOf(match[condition.name])}
        onChange={(values) => set(condition.name, values)}
      />
    ),
  }));
  return (
    <Fieldset legend="Conditions" variant="unstyled" mx={0}>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          The rule applies if all conditions match. If a condition has several values, one of them must match. Use * and
          ? as wildcards.
        </Text>
        {lists.filter(({ name }) => isShown(name)).map(({ field }) => field)}
        <NumberInput
          label="Risk at least"
          min={0}
          max={100}
          value={match.min_risk ?? ""}
          onChange={(value) => set("min_risk", value)}
        />
        <Collapse expanded={hasMore}>
          <Stack gap="md">
            {lists.filter(({ name }) => !isShown(name)).map(({ field }) => field)}
            <KnownValues kind={kind} match={match} set={set} />
          </Stack>
        </Collapse>
        <Row>
          <Button variant="default" onClick={more.toggle} aria-expanded={hasMore}>
            {hasMore ? "Fewer conditions" : "More conditions"}
          </Button>
        </Row>
      </Stack>
    </Fieldset>
  );
}

interface KnownValuesProps {
  readonly kind: "mcp_server" | "skill";
  readonly match: Match;
  set(name: keyof Match, value: unknown): void;
}

const YES_NO = [
  { value: "true", label: "Yes" },
  { value: "false", label: "No" },
];

function KnownValues({ kind, match, set }: KnownValuesProps) {
  return (
    <>
      {conditionsFor(CHOICE_CONDITIONS, kind).map(({ name, label, options }) => (
        <MultiSelect
          key={name}
          label={label}
          data={Object.entries(options).map(([value, shown]) => ({ value, label: shown }))}
          value={textsOf(match[name])}
          onChange={(values) => set(name, values)}
        />
      ))}
      {conditionsFor(FLAG_CONDITIONS, kind).map(({ name, label }) => (
        <Select
          key={name}
          label={label}
          placeholder="Any"
          clearable
          data={YES_NO}
          value={match[name] === undefined ? null : String(match[name])}
          onChange={(value) => set(name, value === null ? undefined : value === "true")}
        />
      ))}
    </>
  );
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}
