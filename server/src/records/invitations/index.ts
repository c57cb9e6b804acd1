export {
  acceptInvitation,
  findInvitation,
  type Invitation,
  invitedAmong,
  makeInvitation,
  voidInvitation,
} from "./store.ts";
