import { open } from "node:fs/promises";
import type { FastifyReply, FastifyRequest } from "fastify";

/** Sends a file from the disk in parts, so that a response that is not read holds little memory. Undefined: it is missing. */
export async function sendFile(
  path: URL,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  const file = await openIfPresent(path);
  if (!file) return undefined;
  const { size } = await file.stat();
  reply.header("content-length", size);
  if (request.method !== "HEAD") return reply.send(file.createReadStream());
  await file.close();
  return reply.send();
}

async function openIfPresent(path: URL) {
  try {
    return await open(path);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
