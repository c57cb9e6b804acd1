import { openApiDocument } from "#api/kit/openapi";
import { operations } from "#api/operations";

export async function printOpenApi(): Promise<void> {
  process.stdout.write(`${JSON.stringify(openApiDocument(operations), null, 2)}\n`);
}
