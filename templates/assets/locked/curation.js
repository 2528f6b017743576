// Replaces `curation/load.js` in a locked site: whoever can read the storage of this browser could read ids and notes of
// sessions there, so none are stored.

export async function curation() {}
