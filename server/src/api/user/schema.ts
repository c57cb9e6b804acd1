import { targetParameter } from "#api/kit/parameters";

export const ENDS = {
  email: targetParameter("The user's e-mail, in any case; also a machine user's", "ada@example.com"),
  mcp: targetParameter("The server's slug", "github"),
};
