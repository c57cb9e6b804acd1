import type { FastifyReply, FastifyRequest } from "fastify";

export type PageHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;
export type PageRoutes = Readonly<Record<`${"GET" | "POST"} /${string}`, PageHandler>>;
