import { z } from "zod";
import { Message, pageOf, SkipPagination } from "#api/kit/answers";
import { choice, text } from "#api/kit/body-fields";
import { read, write } from "#api/kit/operation";
import {
  choiceParameter,
  lastSegmentParameter,
  limitParameter,
  offsetParameter,
  searchParameter,
  targetParameter,
} from "#api/kit/parameters";
import { isEmail } from "#lib/email";
import { notFound } from "#lib/errors";
import {
  applyInstances,
  DEVICE_STATUSES,
  deviceSearchText,
  emailOf,
  findDevice,
  forgetDevice,
  instancesOfDevice,
  instancesOfDevices,
  listDevices,
  lockDevice,
  readPolicy,
  updateDevice,
} from "#records/discovery";
import type { MainTransaction } from "#storage/database";
import { DEVICE_SYSTEMS, type DiscoveryDeviceRow } from "#storage/discovery-tables";
import { presentDevices, presentInstances, staleBefore } from "./present.ts";
import { DiscoveryDevice, DiscoveryInstance } from "./schema.ts";

const TAG = "AI Discovery";
const MOST_INSTANCES = 5_000;

export const listDiscoveryDevices = read({
  id: "listDiscoveryDevices",
  route: "GET /api/ai-discovery/devices",
  tag: TAG,
  summary: "List devices",
  description: "Oldest first.",
  scope: "admin:read",
  query: {
    skip: offsetParameter("Number of devices to skip"),
    limit: limitParameter,
    search: searchParameter("Only devices whose name, ID, account or email contains this text, case-insensitive"),
    status: choiceParameter("Only devices with this status", DEVICE_STATUSES),
    os: choiceParameter("Only devices with this operating system", DEVICE_SYSTEMS),
    email: searchParameter("Only devices of the user with this email"),
  },
  answers: { 200: z.object({ data: z.array(DiscoveryDevice), pagination: SkipPagination }) },
  refusals: [400],
  onCrash: "Failed to retrieve devices",
  async run({ db, query, context }) {
    const { skip, limit, ...filter } = query;
    const stale = await staleBefore(db, context.clock.now());
    const rows = await listDevices(db, filter, { skip, limit: limit + 1, staleBefore: stale });
    const { page, hasMore } = pageOf(rows, limit);
    const data = await presentDevices(db, page, stale);
    return { status: 200, body: { data, pagination: { skip, limit, hasMore } } };
  },
});

export const getDiscoveryDevice = read({
  id: "getDiscoveryDevice",
  route: "GET /api/ai-discovery/devices/{id}",
  tag: TAG,
  summary: "Get a device",
  description: "With everything that was found on it.",
  scope: "admin:read",
  path: { id: lastSegmentParameter("ID of the device") },
  answers: {
    200: z.object({
      data: DiscoveryDevice.extend({ instances: z.array(DiscoveryInstance).describe("What was found on it") }),
    }),
  },
  refusals: [400, 404],
  onCrash: "Failed to retrieve the device",
  async run({ db, path, context }) {
    const row = await findDevice(db, path.id);
    if (!row) throw notFound.device();
    const [device] = await presentDevices(db, [row], await staleBefore(db, context.clock.now()));
    if (!device) throw notFound.device();
    const instances = await presentInstances(db, await instancesOfDevice(db, row.id, MOST_INSTANCES));
    return { status: 200, body: { data: { ...device, instances } } };
  },
});

const UpdateDeviceBody = z
  .object({
    user_email: text(254)
      .refine(isEmail, { error: "must be a valid email" })
      .nullish()
      .describe("The user of the device; null: the reported email counts"),
    status: choice(["active", "retired"])
      .optional()
      .describe("`retired` removes everything that was found on the device. A new report activates it again"),
  })
  .meta({ id: "UpdateDiscoveryDevice", description: "Fields to change", example: { user_email: "ada@example.com" } });

export const updateDiscoveryDevice = write({
  id: "updateDiscoveryDevice",
  route: "PATCH /api/ai-discovery/devices",
  tag: TAG,
  summary: "Update a device",
  description: "Assigns the device to a user, or retires it.",
  scope: "admin:write",
  query: { id: targetParameter("ID of the device") },
  body: UpdateDeviceBody,
  answers: { 200: z.object({ data: DiscoveryDevice }) },
  refusals: [400, 404],
  onCrash: "Failed to update the device",
  async run({ tx, trail, query, body, context }) {
    const row = await lockDevice(tx, query.id);
    if (!row) throw notFound.device();
    const now = context.clock.now();
    const { user_email: email } = body;
    const retired = body.status === undefined ? row.retired : body.status === "retired";
    const after: DiscoveryDeviceRow = {
      ...row,
      retired,
      assigned_email: email === undefined ? row.assigned_email : email,
      // Users and groups are conditions of rules, so its instances are evaluated again.
      evaluation: 0,
      ...(retired && !row.retired && { counts: {} }),
    };
    if (retired && !row.retired) await removeInstances(tx, row.id, { now, newId: context.newId });
    const { id: _, ...changes } = { ...after, search_text: deviceSearchText(after) };
    await updateDevice(tx, row.id, changes);
    trail.audit({
      operation: "updateDiscoveryDevice",
      target: { kind: "discovery-device", id: row.id, name: row.hostname },
      before: { user_email: emailOf(row), retired: row.retired },
      after: { user_email: emailOf(after), retired },
    });
    const [data] = await presentDevices(tx, [after], await staleBefore(tx, now));
    if (!data) throw notFound.device();
    return { status: 200, body: { data } };
  },
  async finish(answer, { context }) {
    await context.discovery.settle();
    return answer;
  },
});

async function removeInstances(
  tx: MainTransaction,
  id: string,
  context: Pick<Parameters<typeof applyInstances>[2], "now" | "newId">,
): Promise<void> {
  const { version: policyVersion } = await readPolicy(tx);
  const before = await instancesOfDevices(tx, [id]);
  await applyInstances(tx, { before, after: [] }, { ...context, policyVersion });
}

export const deleteDiscoveryDevice = write({
  id: "deleteDiscoveryDevice",
  route: "DELETE /api/ai-discovery/devices",
  tag: TAG,
  summary: "Delete a device",
  description: "Deletes everything that it reported. If it reports again, it is a new device.",
  scope: "admin:write",
  query: { id: targetParameter("ID of the device") },
  answers: { 200: Message },
  refusals: [400, 404],
  onCrash: "Failed to delete the device",
  async run({ tx, trail, query, context }) {
    const row = await lockDevice(tx, query.id);
    if (!row) throw notFound.device();
    const { version: policyVersion } = await readPolicy(tx);
    await forgetDevice(tx, row.id, { now: context.clock.now(), newId: context.newId, policyVersion });
    trail.audit({
      operation: "deleteDiscoveryDevice",
      target: { kind: "discovery-device", id: row.id, name: row.hostname },
      before: { hostname: row.hostname, user_email: emailOf(row) },
    });
    return { status: 200, body: { message: "Device deleted successfully" } };
  },
});
