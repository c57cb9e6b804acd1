import { Skeleton } from "@mantine/core";
import type { Icon } from "@tabler/icons-react";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ApiError } from "../../api/client.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { LinkButton } from "../../components/links.tsx";
import { PageHeader } from "../../components/page-header.tsx";

interface RecordPageProps<Row> {
  readonly query: UseQueryResult<Row>;
  /** The slug in the URL, shown while the record loads. */
  readonly slug: string;
  /** The list that the record belongs to. */
  readonly parent: { readonly label: string; readonly to: string };
  readonly icon: Icon;
  /** "Skill" */
  readonly kind: string;
  readonly children: (record: Row) => ReactNode;
}

/** The page of one record: loading, not found, failed, or what `children` renders. */
export function RecordPage<Row>({ query, slug, parent, icon, kind, children }: RecordPageProps<Row>) {
  const { data, error, refetch } = query;
  if (data !== undefined) return children(data);
  if (error instanceof ApiError && error.status === 404) {
    return <NotFound slug={slug} parent={parent} icon={icon} kind={kind} />;
  }
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return (
    <div aria-busy="true">
      <PageHeader parent={parent} title={slug} />
      <Skeleton height={320} mt="xl" />
    </div>
  );
}

type NotFoundProps = Pick<RecordPageProps<unknown>, "slug" | "parent" | "icon" | "kind">;

function NotFound({ slug, parent, icon, kind }: NotFoundProps) {
  return (
    <EmptyState
      isPage
      icon={icon}
      title={`${kind} not found`}
      actions={
        <LinkButton to={parent.to} variant="default">
          {`All ${parent.label.toLowerCase()}`}
        </LinkButton>
      }
    >
      <title>{`${kind} not found · Gatehouse`}</title>
      {`No ${kind.toLowerCase()} has the slug ${slug}. It may have been renamed or deleted.`}
    </EmptyState>
  );
}
