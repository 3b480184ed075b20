; Lets Windows open liftdeck:// links with Liftdeck, and forgets that when it is removed.
!macro NSIS_HOOK_POSTINSTALL
  WriteRegStr SHCTX "Software\Classes\liftdeck" "" "URL:Liftdeck"
  WriteRegStr SHCTX "Software\Classes\liftdeck" "URL Protocol" ""
  WriteRegStr SHCTX "Software\Classes\liftdeck\shell\open\command" "" '"$INSTDIR\liftdeck.exe" open "%1"'
!macroend

!macro NSIS_HOOK_PREUNINSTALL
  DeleteRegKey SHCTX "Software\Classes\liftdeck"
!macroend
