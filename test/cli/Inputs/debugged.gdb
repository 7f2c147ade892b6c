run
break 12
break 13
continue
continue
break 19
continue
print t
print from
delete
continue
quit
