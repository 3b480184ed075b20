/** Owns nothing: re-exports the generated types, so that parts and views need not know the host. */
export type * from '$host/bindings.gen';
