import { Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../api/context.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { TextLink } from "../../components/links.tsx";
import { Section } from "../../components/section.tsx";
import { fetchIssuers, issuersKey } from "../issuers/issuers.ts";

interface ExchangedTokenFieldsProps {
  /** Value, error and handler of the field. */
  readonly issuer: { readonly value?: string; onChange(value: string | null): void };
}

/** The issuer whose tokens the server receives. */
export function ExchangedTokenFields({ issuer }: ExchangedTokenFieldsProps) {
  const api = useApi();
  const { data, error, isPending } = useQuery({
    queryKey: [...issuersKey, "passthrough"],
    queryFn: async ({ signal }) => (await fetchIssuers(api, undefined, 0, signal)).data,
  });
  const passing = data?.filter(({ passthrough }) => passthrough) ?? [];
  const urls = new Set([...passing.map((each) => each.issuer), ...(issuer.value ? [issuer.value] : [])]);
  return (
    <Section
      title="Exchanged token"
      description="The gateway sends the newest valid token of the user as a bearer token. The server must accept its audience."
    >
      <Select
        label="Trusted issuer"
        description={
          <>
            Only issuers with passthrough. <TextLink to="/issuers">Trusted issuers</TextLink>
          </>
        }
        placeholder={isPending ? "Loading…" : urls.size === 0 ? "No issuer has passthrough" : "Select an issuer"}
        data={[...urls]}
        maw={560}
        {...issuer}
      />
      <ErrorNote error={error} />
    </Section>
  );
}
