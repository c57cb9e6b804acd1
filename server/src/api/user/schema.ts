import { targetParameter } from "#api/kit/parameters";

export const USER_AND_SERVER = {
  email: targetParameter("The email of a user or machine user, case-insensitive", "ada@example.com"),
  mcp: targetParameter("The server's slug", "github"),
};
