export {
  acceptInvitation,
  findInvitation,
  type Invitation,
  type InvitationMaking,
  makeInvitation,
  mayHaveForeignPassword,
  pendingInvitations,
  voidInvitation,
} from "./store.ts";
