/** Owns what a failure must say to be shown. The border's error has this shape. */
export type Failure = {
  message: string;
  resource: string | null;
  awsCode: string | null;
  requestId: string | null;
  remedy: string | null;
};
