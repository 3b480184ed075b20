/** True only in development and in the screens tests; a release build drops everything behind it. */
declare const __FAKE_HOST__: boolean;
