export { deleteUnusedBlobs, findBlob, readBlobs, storeBlobs } from "./store.ts";
