import { z } from "zod";
import { isoTime, timestamp } from "#api/kit/answers";
import { read } from "#api/kit/operation";
import { countTokensWithScope } from "#records/api-tokens";
import { findScimState } from "#records/scim-state";
import { provisionedCounts } from "#records/users";

const Provisioning = z
  .object({
    scim_url: z.string().meta({
      description: "The base URL to enter at the identity provider",
      format: "uri",
      example: "https://gatehouse.example.com/scim/v2",
    }),
    users_count: z.int().meta({ description: "Number of people that the provider manages", example: 120 }),
    suspended_count: z.int().meta({ description: "Number of people that it deactivated", example: 3 }),
    groups_count: z.int().meta({ description: "Number of groups that the provider manages", example: 8 }),
    tokens_count: z.int().meta({
      description:
        "Number of API tokens with the scope `admin:scim` that are valid. 0 after requests: provisioning has stopped",
      example: 1,
    }),
    last_request: z
      .object({
        at: timestamp("When it was received"),
        request: z.string().meta({ description: "Method and path", example: "PATCH /Users/usr_01" }),
        status: z.int().meta({ description: "Status of the response", example: 200 }),
        token_name: z.string().meta({ description: "Name of the API token", example: "Okta" }),
      })
      .nullable()
      .describe("The last request, at most some seconds late. Null: none yet"),
    last_error: z
      .object({
        at: timestamp("When it was received"),
        error: z.string().meta({ description: "Status and reason", example: "409: userName: is already provisioned" }),
      })
      .nullable()
      .describe("The last rejected request. Null: none yet"),
  })
  .meta({ id: "Provisioning", description: "Users and groups that an identity provider manages through SCIM" });

export const getProvisioning = read({
  id: "getProvisioning",
  route: "GET /api/provisioning",
  tag: "Provisioning",
  summary: "Get the status of provisioning",
  description: "The base URL for the identity provider, what it manages, and its last requests.",
  scope: "admin:read",
  answers: { 200: z.object({ data: Provisioning }) },
  refusals: [],
  onCrash: "Failed to retrieve the status of provisioning",
  async run({ db, context }) {
    const { users, suspended, groups } = await provisionedCounts(db);
    const state = await findScimState(db);
    const data: z.input<typeof Provisioning> = {
      scim_url: `${context.baseUrl}/scim/v2`,
      users_count: users,
      suspended_count: suspended,
      groups_count: groups,
      tokens_count: await countTokensWithScope(db, "admin:scim", context.clock.now()),
      last_request: state
        ? {
            at: isoTime(state.last_request_at),
            request: state.last_request,
            status: state.last_status,
            token_name: state.last_token,
          }
        : null,
      last_error:
        state?.last_error_at != null && state.last_error != null
          ? { at: isoTime(state.last_error_at), error: state.last_error }
          : null,
    };
    return { status: 200, body: { data } };
  },
});
