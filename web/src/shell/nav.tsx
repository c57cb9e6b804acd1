import { VisuallyHidden } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useMe } from "../api/context.tsx";
import { MarkedLink } from "../components/links.tsx";
import { Brand } from "./brand.tsx";
import { useNavigation, useOpenPage } from "./pages-for.ts";
import "./nav.css";

/** The navigation on the left. `onLeave` closes the drawer that contains it on a narrow page. */
export function Nav({ onLeave }: { onLeave?: () => void }) {
  const { organization } = useMe();
  const navigation = useNavigation();
  const open = useOpenPage();
  return (
    <nav aria-label="Main" className="gh-nav">
      <Link to="/" className="gh-nav-brand" onClick={onLeave}>
        <Brand />
        <span className="gh-truncate">{organization.name}</span>
      </Link>
      {navigation.map(({ section, pages }) => (
        <div key={section.id} className="gh-nav-section" data-section={section.id}>
          {section.label && <div className="gh-nav-heading">{section.label}</div>}
          {pages.map(({ path, title, nav }) => (
            <MarkedLink
              key={path}
              to={path}
              onClick={onLeave}
              className="gh-nav-link"
              isCurrent={path === open.path || path === open.partOf}
            >
              {nav && <nav.icon size={17} stroke={1.7} aria-hidden />}
              {title}
              {nav?.useCount && <Waiting useCount={nav.useCount} />}
            </MarkedLink>
          ))}
        </div>
      ))}
    </nav>
  );
}

function Waiting({ useCount }: { useCount: () => number }) {
  const count = useCount();
  return count === 0 ? null : (
    <span className="gh-nav-count">
      {count}
      <VisuallyHidden> pending</VisuallyHidden>
    </span>
  );
}
