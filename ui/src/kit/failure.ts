/** Owns what is needed to show a failure. The border's error has this shape. */
export type Failure = {
  message: string;
  resource: string | null;
  awsCode: string | null;
  requestId: string | null;
  remedy: string | null;
};
