import { SCHEMAS } from "./resources.ts";

/** What a provider reads before it sends anything: RFC 7643, sections 5 to 7. */

const CONFIG_SCHEMA = "urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig";
const TYPE_SCHEMA = "urn:ietf:params:scim:schemas:core:2.0:ResourceType";
const SCHEMA_SCHEMA = "urn:ietf:params:scim:schemas:core:2.0:Schema";

export const MAX_RESULTS = 200;

export function serviceProviderConfig(baseUrl: string) {
  return {
    schemas: [CONFIG_SCHEMA],
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: MAX_RESULTS },
    changePassword: { supported: false },
    sort: { supported: false },
    etag: { supported: true },
    authenticationSchemes: [
      {
        type: "oauthbearertoken",
        name: "API token",
        description: "An API token with the scope admin:scim, sent as a bearer token",
        primary: true,
      },
    ],
    meta: { resourceType: "ServiceProviderConfig", location: `${baseUrl}/scim/v2/ServiceProviderConfig` },
  };
}

export function resourceTypes(baseUrl: string) {
  const type = (name: "User" | "Group", schema: string, description: string) => ({
    schemas: [TYPE_SCHEMA],
    id: name,
    name,
    endpoint: `/${name}s`,
    description,
    schema,
    schemaExtensions: [],
    meta: { resourceType: "ResourceType", location: `${baseUrl}/scim/v2/ResourceTypes/${name}` },
  });
  return [type("User", SCHEMAS.user, "People"), type("Group", SCHEMAS.group, "Groups of people")];
}

interface Attribute {
  readonly type?: "string" | "boolean" | "complex" | "reference";
  readonly description: string;
  readonly multiValued?: true;
  readonly required?: true;
  readonly caseExact?: true;
  readonly mutability?: "readOnly" | "immutable";
  readonly uniqueness?: "server";
  readonly subAttributes?: Readonly<Record<string, Attribute>>;
}

const REFERENCE = {
  value: { description: "The ID" },
  $ref: { type: "reference", description: "The URL", mutability: "readOnly" },
  display: { description: "The name", mutability: "readOnly" },
} as const;

const USER_ATTRIBUTES: Readonly<Record<string, Attribute>> = {
  userName: { description: "The name at the provider", required: true, uniqueness: "server" },
  name: {
    type: "complex",
    description: "The parts of the name",
    subAttributes: {
      formatted: { description: "The full name" },
      givenName: { description: "The first name" },
      familyName: { description: "The last name" },
    },
  },
  displayName: { description: "The name that Gatehouse shows" },
  emails: {
    type: "complex",
    description: "Gatehouse uses the primary email, else the one for work, else the first",
    multiValued: true,
    subAttributes: {
      value: { description: "The email" },
      type: { description: "Such as work" },
      primary: { type: "boolean", description: "Whether it is the one to use" },
    },
  },
  active: { type: "boolean", description: "False suspends the person" },
  groups: {
    type: "complex",
    description: "The groups of the person",
    multiValued: true,
    mutability: "readOnly",
    subAttributes: REFERENCE,
  },
};

const GROUP_ATTRIBUTES: Readonly<Record<string, Attribute>> = {
  displayName: { description: "The name of the group", required: true, uniqueness: "server" },
  members: {
    type: "complex",
    description: "The people in the group",
    multiValued: true,
    subAttributes: {
      ...REFERENCE,
      value: { description: "The ID", mutability: "immutable" },
      type: { description: "Always User", mutability: "immutable" },
    },
  },
};

export function schemas(baseUrl: string) {
  const schema = (id: string, name: string, description: string, attributes: Readonly<Record<string, Attribute>>) => ({
    schemas: [SCHEMA_SCHEMA],
    id,
    name,
    description,
    attributes: attributesOf(attributes),
    meta: { resourceType: "Schema", location: `${baseUrl}/scim/v2/Schemas/${id}` },
  });
  return [
    schema(SCHEMAS.user, "User", "A person", USER_ATTRIBUTES),
    schema(SCHEMAS.group, "Group", "A group of people", GROUP_ATTRIBUTES),
  ];
}

function attributesOf(attributes: Readonly<Record<string, Attribute>>): object[] {
  return Object.entries(attributes).map(([name, { type = "string", subAttributes, ...attribute }]) => ({
    name,
    type,
    description: attribute.description,
    multiValued: attribute.multiValued ?? false,
    required: attribute.required ?? false,
    caseExact: attribute.caseExact ?? false,
    mutability: attribute.mutability ?? "readWrite",
    returned: "default",
    uniqueness: attribute.uniqueness ?? "none",
    ...(type === "reference" && { referenceTypes: ["User", "Group"] }),
    ...(subAttributes && { subAttributes: attributesOf(subAttributes) }),
  }));
}
