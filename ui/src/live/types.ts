/** Owns nothing: passes the border's types on, so that parts and views need not know the host. */
export type * from '$host/bindings.gen';
