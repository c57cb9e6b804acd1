export {
  acceptInvitation,
  findInvitation,
  type Invitation,
  type InvitationMaking,
  lockAndCheckReset,
  makeInvitation,
  mayHaveForeignPassword,
  pendingInvitations,
  voidInvitation,
} from "./store.ts";
